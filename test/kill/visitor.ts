// A client as browsers are without scripts: it keeps its cookie, sends forms, and does not follow redirects.
import type { Answer } from './ledger.ts';

const ANSWER_WITHIN_MS = 30_000;

export class Visitor {
  cookie = '';
  readonly #url: string;
  readonly #userAgent: string;

  constructor(url: string, userAgent: string) {
    this.#url = url;
    this.#userAgent = userAgent;
  }

  /** Throws when no answer comes. */
  async post(
    path: string,
    body: BodyInit,
    more: { signal?: AbortSignal | undefined; type?: string } = {},
  ): Promise<Answer> {
    const { cookie } = this;
    const deadline = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: {
        cookie,
        origin: this.#url,
        'user-agent': this.#userAgent,
        ...(more.type === undefined ? {} : { 'content-type': more.type }),
      },
      body,
      redirect: 'manual',
      signal: more.signal === undefined ? deadline : AbortSignal.any([deadline, more.signal]),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    const session = answer.headers.getSetCookie().filter((line) => line.includes('session_token'));
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      cookie: session.map((line) => line.split(';')[0]).join('; '),
      body: await answer.text(),
    };
  }

  /** The page, or undefined when it cannot be had. */
  async page(path: string): Promise<string | undefined> {
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        headers: { cookie: this.cookie, 'user-agent': this.#userAgent },
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const text = await answer.text();
      return answer.status === 200 ? text : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The values of the inputs of this name. */
export function inputsIn(page: string, name: string): string[] {
  return [...page.matchAll(/<input\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(`name="${name}"`))
    .map((tag) => /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '');
}

export function formOf(fields: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(fields);
}

/** A form with files in it, or one that may have some. */
export function multipartOf(fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** The id of the removed vehicle with this rego, from the page that lists the removed ones. */
export const removedId = (page: string, rego: string) =>
  new RegExp(`value="([0-9a-f-]{36})"[^>]*aria-label="Restore ${rego}"`).exec(page)?.[1];
