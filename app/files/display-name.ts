// The name under which a file was uploaded. It is displayed, and used for nothing else.
const NAME_MAX = 200;
// Control characters, characters that reverse or hide the text around them, and invisible blanks.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The last part of a path, without invisible characters; never empty, at most 200 characters. */
export function displayName(uploaded: string): string {
  const last = uploaded.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const seen = [...last.replaceAll(UNSEEN, '').trim()].slice(0, NAME_MAX).join('').trim();
  return /^\.*$/.test(seen) ? 'unnamed' : seen;
}
