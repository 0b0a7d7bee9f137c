// Checks a cosignature (c2sp.org/tlog-cosignature, Ed25519) apart from the code that makes it.
import { createHash, createPublicKey, verify } from 'node:crypto';

/** The time of the cosignature on `line` of the checkpoint `text`, in seconds; undefined when it is not by `vkey`. */
export function cosignedAt(line: string, text: string, vkey: string): number | undefined {
  const [, name = '', hash = '', base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? [];
  const typed = Buffer.from(base64, 'base64');
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8);
  const bytes = Buffer.from(/^— (\S+) (\S+)\n$/.exec(line)?.[2] ?? '', 'base64');
  if (typed[0] !== 4 || id !== hash || !line.startsWith(`— ${name} `)) return undefined;
  if (bytes.length !== 4 + 8 + 64 || bytes.subarray(0, 4).toString('hex') !== hash) return undefined;
  const time = bytes.readBigUInt64BE(4);
  const x = typed.subarray(1).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
  return verify(null, message, key, bytes.subarray(12)) ? Number(time) : undefined;
}

export const textOf = (note: string): string => note.slice(0, note.lastIndexOf('\n\n') + 1);
