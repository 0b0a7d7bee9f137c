// Tries a registry behind its proxy, as browsers and attackers meet it:
//   TRY_EMAIL=… TRY_PASSWORD=… node deploy/try-proxy.mjs https://registry.example [127.0.0.1] The second argument is
//   the address to connect to while the name does not resolve to it yet. A certificate that the machine does not know
//   is accepted. It uses up the sign-ins of a minute from this address, and leaves one unsaved upload.
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import { randomBytes } from 'node:crypto';

const [target = '', address] = process.argv.slice(2);
if (!URL.canParse(target)) throw new Error('Give the public address: try-proxy.mjs https://registry.example');
const origin = new URL(target).origin;
const MB = 1024 * 1024;
const checks = [];
let failed = 0;

check('http leads to https', async () => {
  const { status, headers } = await ask('/search?q=x', { base: origin.replace('https:', 'http:') });
  return [
    (status === 301 || status === 308) && headers.location === `${origin}/search?q=x`,
    `${status} ${headers.location}`,
  ];
});
check('pages come, over https for two years to come', async () => {
  const { status, headers } = await ask('/');
  const sts = headers['strict-transport-security'] ?? '';
  return [status === 200 && sts.startsWith('max-age=63072000'), `${status} ${sts}`];
});
check('metrics are not for the public', async () => {
  const { status } = await ask('/metrics');
  return [status === 404 || status === 403, status];
});
check('an event stream opens at once and stays open over its signs of life', async () => {
  const began = Date.now();
  const heard = [];
  await ask('/live?topic=vehicles', { until: () => heard.push(Date.now() - began) < 2 });
  return [heard[0] < 2000 && heard.at(-1) > 10_000, `heard after ${heard.join(', ')} ms`];
});
check('a form of more than 1 MB is refused in the registry’s own words', async () => {
  const { status, body } = await ask('/login', { method: 'POST', body: Buffer.alloc(2 * MB) });
  return [status === 413 && body.includes('body-too-large'), `${status} ${body.slice(0, 60)}`];
});
if (process.env.TRY_EMAIL !== undefined) {
  let cookie = '';
  check('signing in gives a cookie that is bound to the host', async () => {
    const { status, headers, body } = await signIn(process.env.TRY_EMAIL, process.env.TRY_PASSWORD ?? '');
    const lines = headers['set-cookie'] ?? [];
    cookie = lines.map((line) => line.split(';')[0]).join('; ');
    const session = lines.find((line) => line.includes('session')) ?? body.slice(0, 80);
    return [
      status === 303 && /^__Host-.*Path=\/;.*Secure/i.test(session),
      `${status} ${session.replace(/=[^;]*/, '=…')}`,
    ];
  });
  check('an upload of 20 MB arrives', async () => {
    const { status, body } = await upload(19.9 * MB, cookie);
    return [status === 201, `${status} ${body.slice(0, 100)}`];
  });
  check('one of 21 MB is refused by the registry, not by the proxy', async () => {
    const { status, body } = await upload(21 * MB, cookie);
    return [status === 422 && body.includes('file-refused'), `${status} ${body.slice(0, 160)}`];
  });
}
check('who forges X-Forwarded-For is limited by his own address', async () => {
  const answers = [];
  for (let index = 0; index < 25; index += 1) {
    const forged = { 'x-forwarded-for': `198.51.100.${index}`, forwarded: `for=198.51.100.${index}` };
    answers.push((await signIn(`nobody-${index}@${randomBytes(4).toString('hex')}.example`, 'wrong', forged)).status);
  }
  return [answers.at(-1) === 429, answers.join(' ')];
});

for (const { name, work } of checks) {
  const [ok, seen] = await work().catch((error) => [false, error.message]);
  if (!ok) failed += 1;
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'}  ${name}: ${seen}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;

function check(name, work) {
  checks.push({ name, work });
}

function signIn(email, password, headers = {}) {
  const body = new URLSearchParams({ email, password }).toString();
  return ask('/login', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

function upload(bytes, cookie) {
  const boundary = 'try-proxy';
  const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(bytes, ' '), Buffer.from('\n%%EOF\n')]);
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="certificate_file"; filename="try.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
    ),
    pdf,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return ask('/uploads', {
    method: 'POST',
    body,
    headers: { cookie, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
}

/** Asks; `until` hears each chunk and says whether to go on. */
function ask(path, { base = origin, method = 'GET', headers = {}, body, until } = {}) {
  const { protocol, host, hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = (protocol === 'https:' ? https : http)({
      host: address ?? hostname,
      servername: hostname,
      port: port || (protocol === 'https:' ? 443 : 80),
      rejectUnauthorized: false,
      path,
      method,
      headers: {
        host,
        origin,
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    });
    request.setTimeout(60_000, () => request.destroy(new Error('no answer within a minute')));
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
        if (until !== undefined && !until(chunk)) {
          request.destroy();
          resolve({ status: response.statusCode, headers: response.headers, body: text });
        }
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }));
    });
    request.end(body);
  });
}
