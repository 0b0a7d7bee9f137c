// Certificates and images that are uploaded when they are chosen, and what became of them.
import { createHash } from 'node:crypto';
import type { Ledger } from './ledger.ts';
import type { State } from './state.ts';
import type { Visitor } from './visitor.ts';

/** `id`: by which a form names it; `sha256`: of what is stored, where that is what was sent. */
export type Upload = { role: 'certificate' | 'image'; name: string; sha256: string | undefined; id: string };

/** Undefined: no answer came. */
export async function uploadFile(
  { visitor, ledger, jpeg }: { visitor: Visitor; ledger: Ledger; jpeg: () => Promise<Buffer> },
  role: Upload['role'],
  name: string,
): Promise<Upload | undefined> {
  const bytes = role === 'certificate' ? Buffer.from(pdf(name)) : await jpeg();
  const form = new FormData();
  form.append(`${role}_file`, new Blob([new Uint8Array(bytes)]), name);
  let id: string | undefined;
  await ledger.perform({
    kind: `${role} uploaded`,
    mark: name,
    send: (signal) => visitor.post('/uploads', form, { signal }),
    isDone: ({ status }) => status === 201,
    parts: (state) => ({ uploads: state.uploads(name).length }),
    again: 'never',
    onDone: ({ body }) => (id = /"id":"([^"]+)"/.exec(body)?.[1]),
  });
  const sha256 = role === 'certificate' ? createHash('sha256').update(bytes).digest('hex') : undefined;
  return id === undefined ? undefined : { role, name, sha256, id };
}

/** How often each stands at a vehicle. */
export function linksIn(state: State, uploads: readonly Upload[]): Record<string, number> {
  return Object.fromEntries(
    uploads.map(({ role, name, sha256 }) => [
      `${role} ${name}`,
      state.links(name).filter((link) => link.role === role && (sha256 === undefined || link.sha256 === sha256)).length,
    ]),
  );
}

const pdf = (text: string) => `%PDF-1.4\n% ${text}\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n`;
