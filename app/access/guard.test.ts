import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryFlash } from '#app/platform/http/flash-cookie.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { guard } from './guard.server.ts';

let given: TestServices;
beforeAll(async () => {
  given = await createTestServices({ PUBLIC_URL: 'https://registry.example' });
});
afterAll(() => given.stop());

test('the message that an action sends along is of this host alone over https', async () => {
  const context = new RouterContextProvider();
  context.set(servicesContext, given);
  const request = new Request('https://registry.example/reset', { method: 'POST' });
  const answer = await guard(
    { request, context, params: {}, pattern: '/reset', url: new URL(request.url) },
    async () => new Response(null, { status: 303, headers: { 'set-cookie': carryFlash('signed-out') } }),
  );
  expect(answer instanceof Response && answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-registry-notice=signed-out\..*; Secure$/),
  ]);
});
