// A mail's words, as plain text and as HTML.
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import type { MailText, QueuedMail } from './mail.server.ts';

type Item = { label: string; words: string; link: string };
/** `lines`: one below the other. `items`: under their title, each a link. */
export type Part = string | { link: string } | { lines: readonly string[] } | { title: string; items: readonly Item[] };

/** The same words in both. `headers`: what mail programs act on. */
export function letter(
  registryName: string,
  subject: string,
  { parts, headers = {} }: { parts: readonly Part[]; headers?: Record<string, string> },
): MailText {
  const text = parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('items' in part) return [part.title, ...part.items.map(itemText)].join('\n');
    return 'link' in part ? part.link : part.lines.join('\n');
  });
  const html = parts.map((part) => {
    if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
    if ('lines' in part) return `<p>${part.lines.map(escapeHtml).join('<br>')}</p>`;
    if ('items' in part) return `<h2>${escapeHtml(part.title)}</h2>${part.items.map(itemHtml).join('')}`;
    return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
  });
  return {
    subject: `${subject}: ${registryName}`,
    text: `${[...text, registryName].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en-AU"><body>${html.join('')}<p>${escapeHtml(registryName)}</p></body></html>`,
    headers,
  };
}

const itemText = ({ label, words, link }: Item) => `  ${`${label}  ${words}`.trim()}\n  ${link}`;
const itemHtml = ({ label, words, link }: Item) =>
  `<p><a href="${escapeHtml(link)}">${escapeHtml(label)}</a> ${escapeHtml(words)}</p>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

export type LetterContext = { config: Config; now: () => Date };
/** Writes one kind of mail at the moment when it leaves; null: nobody is to be written to any more. */
export type Letter = (context: LetterContext, tx: Tx, mail: QueuedMail) => MailText | null | Promise<MailText | null>;
export type Letters = Readonly<Record<string, Letter>>;
