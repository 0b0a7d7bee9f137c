// Makes a signing key for a public log and prints it: for LOG_KEY_FILE, where several nodes need the same from outside.
//   npm run -s make-log-key -- registry.example > log-key
import { LOG_PREFIX } from '#app/transparency-log/log-address.ts';
import { generateSigningKey } from '#app/tlog/sign-note.server.ts';

const [host = '', ...more] = process.argv.slice(2);
// A note's signer: no space and no plus in its name (c2sp.org/signed-note).
if (!/^[a-z0-9.-]+(:\d{1,5})?$/.test(host) || more.length > 0) {
  process.stderr.write('Give the host that people will use, as in PUBLIC_URL: make-log-key registry.example\n');
  process.exit(2);
}
process.stdout.write(`${await generateSigningKey(`${host}${LOG_PREFIX}`)}\n`);
