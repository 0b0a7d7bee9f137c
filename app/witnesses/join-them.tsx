import { Commands } from '#app/transparency-log/how-to-check.tsx';

/** How anybody runs a witness of this log, or keeps a mirror of it. */
export function JoinThem({ address, logKey }: { address: string; logKey: string }) {
  return (
    <div className="max-w-180 pb-8 [&_h2]:pt-8 [&_h2]:text-xl [&_p]:pt-3">
      <h2 id="run-a-witness">Run a witness yourself</h2>
      <p>
        One file,{' '}
        <a href="/witness.mjs" download className="link-in-text">
          witness.mjs
        </a>
        , and nothing but Node 20. It keeps one small file of its own, and needs an address that this registry can
        reach. Give it a name that stays:
      </p>
      <Commands lines={['node witness.mjs --new-key witness.example/trucks witness-key']} />
      <p>Then four lines in witness.conf:</p>
      <Commands lines={['key witness-key', 'state witness-state', 'listen 127.0.0.1:4000', `log ${logKey}`]} />
      <Commands lines={['node witness.mjs witness.conf']} />
      <p>Tell the registry its verifier key and its address, and it is asked from then on.</p>
      <h2 id="keep-a-mirror">Keep a mirror</h2>
      <p>
        <a href="/mirror.mjs" download className="link-in-text">
          mirror.mjs
        </a>{' '}
        keeps the whole log as files that any web server serves, checks all of it, and says so when the log was
        shortened, rewritten or shown twice:
      </p>
      <Commands lines={[`node mirror.mjs ${address} \\`, `  '${logKey}' mirror`]} />
    </div>
  );
}
