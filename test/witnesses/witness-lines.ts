// A policy file of running witnesses: so many of them are its quorum.

/** `name`: in the policy. */
export type PolicyMember = { name: string; vkey: string; url: string };

export function policyOf(members: readonly PolicyMember[], least: number): string {
  const lines = members.map(({ name, vkey, url }) => `witness ${name} ${vkey} ${url}`);
  return [
    ...lines,
    `group all-of-them ${least} ${members.map(({ name }) => name).join(' ')}`,
    'quorum all-of-them',
    '',
  ].join('\n');
}
