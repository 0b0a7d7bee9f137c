// What the verbs of a browser stand on: the few commands that WebDriver BiDi and WebDriver classic both have.

/** An element of the page, as the protocol names it. */
export type Handle = Readonly<Record<string, string>>;

export type Protocol = {
  /** Returns when the page and all that it names is loaded. Throws where there is no page. */
  navigate: (url: string) => Promise<void>;
  /** Runs a function, given as its text, in the page. It returns text, a truth, an element or null, or promises it. */
  run: (source: string, ...args: (string | Handle)[]) => Promise<unknown>;
  /** With the pointer, in the middle of the element. */
  click: (element: Handle) => Promise<void>;
  /** By key presses; an Enter is \uE007. */
  type: (element: Handle, text: string) => Promise<void>;
  /** Puts a file into a field for files. */
  choose: (element: Handle, file: string) => Promise<void>;
  clearCookies: () => Promise<void>;
  /** The errors that pages have written to the console, or thrown, since the last call. */
  takeErrors: () => Promise<readonly string[]>;
  stop: () => Promise<void>;
};

export const isHandle = (value: unknown): value is Handle => typeof value === 'object' && value !== null;
