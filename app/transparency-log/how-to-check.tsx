/** The commands with which anyone checks the log, without trusting this page. */
export function HowToCheck({ address, verifierKey }: { address: string; verifierKey: string }) {
  const origin = address.slice(0, address.indexOf('/log/'));
  return (
    <>
      <h2 id="how-to-check">How to check</h2>
      <p>
        Write down the verifier key, preferably from a source other than this page. Then keep a checkpoint, a few lines
        of signed text:
      </p>
      <Commands lines={[`curl -s ${address}/checkpoint > kept-checkpoint`]} />
      <p>
        Later, use the program in the registry’s source code (no account needed). It reads the whole log, recomputes
        every hash, and checks that the log still begins with what you kept.
      </p>
      <Commands
        lines={[
          `npm run verify -- audit ${address} \\`,
          `  --key '${verifierKey}' \\`,
          '  --checkpoint kept-checkpoint',
        ]}
      />
      <p>The proof of one calibration is a file that anyone can check offline, at any time:</p>
      <Commands
        lines={[
          `curl -s ${origin}/api/v1/vehicles/REGO/calibrations/NUMBER/proof > record.tlog-proof`,
          `npm run verify -- proof record.tlog-proof --key '${verifierKey}'`,
        ]}
      />
      <p>
        The formats are public, so other people’s programs read them too: RFC 6962 Merkle trees, and C2SP tlog-tiles,
        tlog-checkpoint, signed-note and tlog-proof.
      </p>
    </>
  );
}

export function Commands({ lines }: { lines: readonly string[] }) {
  return (
    <pre className="mt-3 rounded-md border border-line bg-sunken px-4 py-3 font-mono text-sm break-all whitespace-pre-wrap">
      <code>{lines.join('\n')}</code>
    </pre>
  );
}
