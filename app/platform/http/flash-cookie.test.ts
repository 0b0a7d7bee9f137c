import { expect, test } from 'vitest';
import { bindFlash, carryFlash, dropFlash, readFlash } from './flash-cookie.server.ts';

const HTTPS = { publicUrl: new URL('https://registry.example') };
const HTTP = { publicUrl: undefined };
const answer = (line: string) => {
  const headers = new Headers({ 'set-cookie': 'other=1; Path=/' });
  headers.append('set-cookie', line);
  return headers;
};
const sentBack = (headers: Headers) =>
  new Headers({
    cookie: headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  });

test('over https it is of this host alone, and goes over TLS alone', () => {
  const headers = answer(carryFlash('signed-out'));
  bindFlash(headers, HTTPS);
  expect(headers.getSetCookie()).toEqual([
    'other=1; Path=/',
    expect.stringMatching(/^__Host-registry-notice=signed-out\.[a-z0-9]+; Max-Age=60; Path=\/; SameSite=Lax; Secure$/),
  ]);
  expect(readFlash(sentBack(headers), HTTPS)?.name).toBe('signed-out');
  expect(readFlash(sentBack(headers), HTTP)).toBeUndefined();
});

test('over http it has its plain name, and one of that name counts for nothing over https', () => {
  const headers = answer(carryFlash('signed-out'));
  bindFlash(headers, HTTP);
  expect(headers.getSetCookie()[1]).toMatch(
    /^registry-notice=signed-out\.[a-z0-9]+; Max-Age=60; Path=\/; SameSite=Lax$/,
  );
  expect(readFlash(sentBack(headers), HTTP)?.name).toBe('signed-out');
  expect(readFlash(sentBack(headers), HTTPS)).toBeUndefined();
});

test('it carries the id of what can be undone, and nothing else', () => {
  const about = crypto.randomUUID();
  expect(readFlash(sentBack(answer(carryFlash('photo-hidden', about))), HTTP)).toMatchObject({ about });
  expect(readFlash(sentBack(answer(carryFlash('photo-hidden'))), HTTP)?.about).toBeUndefined();
  expect(readFlash(sentBack(answer(carryFlash('photo-hidden', '../logout'))), HTTP)).toBeUndefined();
});

test('it is taken away under the name that it has', () => {
  const headers = new Headers(dropFlash(new Headers()));
  bindFlash(headers, HTTPS);
  expect(headers.getSetCookie()).toEqual(['__Host-registry-notice=; Max-Age=0; Path=/; SameSite=Lax; Secure']);
});
