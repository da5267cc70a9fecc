const pino = jest.requireActual("pino");

/** The lines that the logger has written. */
export const lines: string[] = [];

/** What these lines say. */
export const logged = () => lines.map((line) => JSON.parse(line));

/** Replaces pino in jest.mock by a logger that keeps its lines in `lines`. */
export const pinoMock = (options: object) => pino(options, { write: (line: string) => lines.push(line) });
