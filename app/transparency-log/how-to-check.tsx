import type { Step } from './how-to-check.server.ts';

/** The commands with which anyone checks the log, without trusting this page. */
export function HowToCheck({ steps }: { steps: readonly Step[] }) {
  return (
    <>
      <h2 id="how-to-check">How to check</h2>
      <p>
        Download{' '}
        <a href="/verify.mjs" download className="link-in-text">
          the verifier, verify.mjs
        </a>
        . Nothing in it trusts this page.
      </p>
      {steps.map(({ words, lines }) => (
        <div key={words}>
          <p>{words}</p>
          {lines.length === 0 ? null : <Commands lines={lines} />}
        </div>
      ))}
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
