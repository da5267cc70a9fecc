/** Puts a text into an element of its own, as a browser's translation does. The page's own text node is then gone. */
function translate(text: Node): void {
  const { parentNode } = text;
  if (!text.textContent || !parentNode || parentNode.nodeName === "FONT") return;
  const translated = document.createElement("font");
  translated.textContent = text.textContent;
  parentNode.replaceChild(translated, text);
}

/** Translates the page, and everything that it shows later, until the end of the test. */
export function translatePage(): void {
  translator.observe(document.body, { subtree: true, childList: true, characterData: true });
  translateAll();
}

function translateAll(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Node[] = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found) translate(text);
}

const translator = new MutationObserver(translateAll);
afterEach(() => translator.disconnect());
