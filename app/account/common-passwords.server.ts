// The passwords that everybody tries first. Loaded at the first new password: the list has some 49,000 words.
let known: Promise<ReadonlySet<string>> | undefined;

/** Whether `password` is among the most common ones, in any case of its letters. */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase())),
  );
  return (await known).has(password.toLowerCase());
}

export const COMMON_PASSWORD = 'This is one of the most common passwords. Choose another.';
