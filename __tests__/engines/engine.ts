/** A command of W3C WebDriver and its parameters; `element` where it is one of an element. */
export interface Command {
  /** As in the standard's path: 'url', 'back', 'execute/sync', 'element/click'. */
  name: "url" | "back" | "actions" | "execute/sync" | "element/click" | "element/value";
  parameters?: Record<string, unknown>;
  element?: string;
}

/** A browser that was started, with a page of its own. */
export interface Session {
  send(command: Command): Promise<unknown>;
  end(): Promise<void>;
}

export interface Engine {
  name: string;
  /** What has to be there; the Debian package that brings each stands in docs/contributing.md. */
  files: string[];
  start(): Promise<Session>;
}
