// How anyone checks the log, in words and commands, without trusting the page that says so. The server makes it, so
// that it is not in the scripts of those who only look up a truck.

/** Words, and the commands after them. */
export type Step = { words: string; lines: readonly string[] };

/** `sourceUrl`: where the registry's source is, if that is public. */
export function howToCheck(address: string, verifierKey: string, sourceUrl: URL | undefined): Step[] {
  const origin = address.slice(0, address.indexOf('/log/'));
  const source = sourceUrl === undefined ? '' : ` It is part of the registry’s source: ${sourceUrl.href}`;
  return [
    {
      words:
        'Write down the verifier key, preferably from a source other than this page. Then keep a checkpoint, a few lines of signed text:',
      lines: [`curl -s ${address}/checkpoint > kept-checkpoint`],
    },
    {
      words:
        'Later, use the verifier above: one file that can be read, for Node 20 or newer. It reads the whole log, recomputes every hash, and checks that the log still begins with what you kept.' +
        source,
      lines: [`node verify.mjs audit ${address} \\`, `  --key '${verifierKey}' \\`, '  --checkpoint kept-checkpoint'],
    },
    {
      words:
        'The proof of one calibration, or of what was said of a truck on a day, is a file that anyone can check offline:',
      lines: [
        `curl -s ${origin}/api/v1/vehicles/REGO/calibrations/NUMBER/proof > record.tlog-proof`,
        `node verify.mjs proof record.tlog-proof --key '${verifierKey}'`,
        `curl -s ${origin}/api/v1/vehicles/REGO/on/DAY/proof > day.json`,
        `node verify.mjs day day.json --key '${verifierKey}'`,
      ],
    },
    {
      words:
        'With --policy FILE nothing is proved that your witnesses have not seen (C2SP tlog-policy). The formats are public, so other people’s programs read them too: RFC 6962 Merkle trees, and C2SP tlog-tiles, tlog-checkpoint, signed-note, tlog-cosignature and tlog-proof.',
      lines: [],
    },
  ];
}
