// Reads a registry's sent mails from its outbox, as their recipient would.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const WAIT_MS = 10_000;

/** The words of the first mail to `email` that holds `part`. Waits until it is there. */
export async function mailTo(dataDir: string, email: string, part: string | RegExp, waitMs = WAIT_MS): Promise<string> {
  const folder = path.join(dataDir, 'outbox');
  for (let waited = 0; waited < waitMs; waited += 100) {
    for (const file of await readdir(folder).catch(() => [])) {
      if (!file.endsWith('.eml') || file.startsWith('.')) continue;
      const text = plain(await readFile(path.join(folder, file), 'utf8'));
      const holds = typeof part === 'string' ? text.includes(part) : part.test(text);
      if (holds && text.includes(`To: ${email}`)) return text;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no mail with ${String(part)} to ${email} arrived`);
}

/** The link to set a password in the mail to `email`. */
export async function linkFor(dataDir: string, email: string): Promise<string> {
  const link = /http:\/\/[^\s"<]+\/reset\/[A-Za-z0-9_-]{43}/;
  const [found = ''] = link.exec(await mailTo(dataDir, email, link)) ?? [];
  return found;
}

// Decodes quoted-printable.
const plain = (source: string) =>
  Buffer.from(
    source
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
