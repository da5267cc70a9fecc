/** The arguments with which Node runs a program of this project in TypeScript, as the scripts in package.json do. */
export const program = (file: string, ...args: string[]) => [
  "--conditions=react-server",
  "--require",
  "tsx/cjs",
  file,
  ...args,
];
