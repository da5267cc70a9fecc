/** Names and addresses that no other machine reaches. */
const thisMachine = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

/** Whether a URL leads to this machine: not production. A plain module, because server.mjs asks as well. */
export function isThisMachine(url) {
  return thisMachine.test(new URL(url).hostname);
}
