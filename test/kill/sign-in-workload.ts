// Signs in and out. The user agent identifies each session.
import { PASSWORD } from '#test/people.ts';
import type { Ledger } from './ledger.ts';
import { formOf, Visitor } from './visitor.ts';

type Tools = { url: string; ledger: Ledger };

export class SignInWorkload {
  readonly #tools: Tools;
  readonly #email: string;
  #made = 0;
  #visitor: { visitor: Visitor; browser: string } | undefined;

  constructor(tools: Tools, email: string) {
    this.#tools = tools;
    this.#email = email;
  }

  async next(): Promise<boolean> {
    return this.#visitor === undefined ? this.#signIn() : this.#signOut(this.#visitor);
  }

  #signIn(): Promise<boolean> {
    this.#made += 1;
    const browser = `browser ${this.#made} of ${this.#email}`;
    const visitor = new Visitor(this.#tools.url, browser);
    return this.#tools.ledger.perform({
      kind: 'signed in',
      mark: browser,
      send: (signal) => visitor.post('/login', formOf({ email: this.#email, password: PASSWORD }), { signal }),
      isDone: (answer) => answer.status === 303 && answer.cookie !== '',
      parts: (state) => ({ session: state.sessions(browser).length }),
      again: 'never',
      onDone: ({ cookie }) => {
        visitor.cookie = cookie;
        this.#visitor = { visitor, browser };
      },
    });
  }

  #signOut({ visitor, browser }: { visitor: Visitor; browser: string }): Promise<boolean> {
    this.#visitor = undefined;
    this.#tools.ledger.forget('signed in', browser);
    return this.#tools.ledger.perform({
      kind: 'signed out',
      mark: browser,
      send: (signal) => visitor.post('/logout', formOf({}), { signal }),
      isDone: ({ status }) => status === 303,
      parts: (state) => ({ end: state.sessions(browser).length === 0 ? 1 : 0 }),
      again: 'harmless',
    });
  }
}
