// The rules for email addresses, and the storage prefix derived from one.
import { z } from 'zod';
import { emailKey } from './email-key.ts';

// A local part as RFC 5321 writes it without quotes: what every mail server takes, and no two of which look alike.
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LOCAL_PART_MAX = 64;
const ADDRESS_MAX = 254;

/** How an address is stored: lower case, its domain in ASCII. Dots and +tags stay: hosts differ on them. */
export function normaliseEmail(text: string): string {
  const address = lowered(text);
  const [local = '', domain, ...more] = address.split('@');
  return domain === undefined || more.length > 0 ? address : `${local}@${asciiDomain(domain)}`;
}

const lowered = (text: string) => text.normalize('NFC').trim().toLowerCase();

// As mail servers and browsers write it: `münchen.example` is `xn--mnchen-3ya.example`. What is no name stays as it is.
function asciiDomain(domain: string): string {
  if (/^[\x20-\x7e]*$/.test(domain) || /[\p{Cc}\p{Cf}\p{Z}/?#:\\%[\]]/u.test(domain)) return domain;
  const name = `http://${domain}/`;
  return URL.canParse(name) ? new URL(name).hostname : domain;
}

/** The address that `text` is, as stored; undefined when mail cannot reach it. The one rule, for every form. */
export function readEmail(text: string): string | undefined {
  const address = normaliseEmail(text);
  const [local = '', domain = '', ...more] = address.split('@');
  const labels = domain.split('.');
  const isOne =
    more.length === 0 &&
    address.length <= ADDRESS_MAX &&
    local.length <= LOCAL_PART_MAX &&
    LOCAL_PART.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    /^[a-z].*[a-z0-9]$/.test(labels.at(-1) ?? '');
  return isOne ? address : undefined;
}

/** The storage prefix of a person's pictures: the address's key, with `_` for characters a storage key may not have. */
export const portraitPrefix = (email: string): string => `admins/${emailKey(email).replaceAll(/[^a-z0-9@,_+-]/g, '_')}`;
// Wider than the rule: earlier imports took addresses that it refuses, and their pages must open.
const ADDRESS = /^[^\p{Z}\p{Cc}\p{Cf},@]+@[^\p{Z}\p{Cc}\p{Cf},@]+\.[^\p{Z}\p{Cc}\p{Cf},@]+$/u;
/** The address of a key; undefined when the key is not that of an address. */
export function parseEmailKey(key: string): string | undefined {
  const address = lowered(key.replaceAll(',', '.'));
  return address.length <= ADDRESS_MAX && ADDRESS.test(address) ? address : undefined;
}

export const email = z
  .string({ error: 'Enter an email address.' })
  .transform(normaliseEmail)
  .superRefine((text, context) => {
    if (text === '') context.addIssue({ code: 'custom', message: 'Enter an email address.' });
    else if (text.includes(',')) context.addIssue({ code: 'custom', message: 'An email address has no comma.' });
    else if (text.length > ADDRESS_MAX) context.addIssue({ code: 'custom', message: 'The email address is too long.' });
    else if (readEmail(text) === undefined)
      context.addIssue({ code: 'custom', message: 'Enter an email address such as name@site.com.au.' });
  });
