const pino = jest.requireActual("pino");

/** Each line as the logger writes it. */
export const lines: string[] = [];

/** In place of pino, with jest.mock: its lines are kept. */
export const keepsLines = (options: object) => pino(options, { write: (line: string) => lines.push(line) });
