// npm run sbom: what the registry is made of, out of package-lock.json, as CycloneDX 1.6 (ECMA-424). Only what is
// shipped: what builds and tests it is left out. npm's own `npm sbom` leaves out React here, and without --omit=dev
// refuses.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const lock = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8'));
const parts = new Map();
// First what must be there, then what may be lacking: of a platform that this machine is not.
for (const scope of ['required', 'optional']) reach('', scope, new Set());

// What `place` needs, by the rule of Node: in its own node_modules, else in those above.
function reach(place, scope, reached) {
  if (reached.has(place)) return;
  reached.add(place);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = lock.packages[place];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = findFrom(place, name);
    const mayLack = optionalDependencies?.[name] !== undefined;
    // A peer may be one that only who uses it needs.
    if (found === undefined || peerDependenciesMeta?.[name]?.optional === true) continue;
    if (mayLack && scope === 'required') continue;
    add(name, lock.packages[found], scope);
    reach(found, scope, reached);
  }
}

function findFrom(place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (folder === '') return undefined;
  }
}

function add(name, { version, license, integrity }, scope) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  if (parts.has(purl)) return;
  parts.set(purl, {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    purl,
  });
}

const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: lock.name, version: lock.version } },
  components: [...parts.values()],
};
process.stdout.write(`${JSON.stringify(bill, undefined, 2)}\n`);

// An SPDX expression, or other words.
function licenseOf(text) {
  return /^[\w.+()-]+( (AND|OR|WITH) [\w.+()-]+)*$/.test(text) ? { expression: text } : { license: { name: text } };
}

function hashesOf(integrity) {
  return integrity.split(' ').map((one) => {
    const [algorithm, base64 = ''] = one.split(/-(.*)/s);
    return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') };
  });
}
