// npm run sbom: what the registry is made of, out of package-lock.json, as CycloneDX 1.6 (ECMA-424). Only what is shipped:
// what makes and tests it is not in it. npm's own `npm sbom` leaves out React here, and without --omit=dev refuses.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const lock = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8'));
const parts = new Map();
for (const [place, { version, license, integrity, dev, devOptional, optional }] of Object.entries(lock.packages)) {
  if (place === '' || dev === true) continue;
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  parts.set(purl, {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional === true || devOptional === true ? 'optional' : 'required',
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    purl,
  });
}

process.stdout.write(
  `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name: lock.name, version: lock.version } },
      components: [...parts.values()],
    },
    undefined,
    2,
  )}\n`,
);

// An SPDX expression, or words that are none.
function licenseOf(text) {
  return /^[\w.+()-]+( (AND|OR|WITH) [\w.+()-]+)*$/.test(text) ? { expression: text } : { license: { name: text } };
}

function hashesOf(integrity) {
  return integrity.split(' ').map((one) => {
    const [algorithm, base64 = ''] = one.split(/-(.*)/s);
    return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') };
  });
}
