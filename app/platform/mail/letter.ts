// A mail's words, as plain text and as HTML.
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import type { MailText, QueuedMail } from './mail.server.ts';

/** `lines`: one below the other. */
export type Part = string | { link: string } | { lines: readonly string[] };

/** The same words in both. `headers`: what mail programs act on. */
export function letter(
  registryName: string,
  subject: string,
  { parts, headers = {} }: { parts: readonly Part[]; headers?: Record<string, string> },
): MailText {
  const text = parts.map((part) => {
    if (typeof part === 'string') return part;
    return 'link' in part ? part.link : part.lines.join('\n');
  });
  const html = parts.map((part) => {
    if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
    if ('lines' in part) return `<p>${part.lines.map(escapeHtml).join('<br>')}</p>`;
    return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
  });
  return {
    subject: `${subject}: ${registryName}`,
    text: `${[...text, registryName].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en-AU"><body>${html.join('')}<p>${escapeHtml(registryName)}</p></body></html>`,
    headers,
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

export type LetterContext = { config: Config; now: () => Date };
/** Writes one kind of mail at the moment when it leaves; null: nobody is to be written to any more. */
export type Letter = (context: LetterContext, tx: Tx, mail: QueuedMail) => MailText | null | Promise<MailText | null>;
export type Letters = Readonly<Record<string, Letter>>;
