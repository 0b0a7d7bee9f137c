import { getEventListeners } from 'node:events';
import { createElement, Suspense, use, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { renderWhole } from './render-whole.server.ts';

function Throwing(): ReactNode {
  throw new Error('no');
}
const Late = ({ text }: { text: Promise<string> }) => use(text);

test('a page is rendered when its last part is there, and nothing of it is kept by the request', async () => {
  const { signal } = new AbortController();
  const page = createElement(Suspense, null, createElement(Late, { text: Promise.resolve('late') }));
  const rendered = await renderWhole(createElement('main', null, page), signal, () => {});
  const html = rendered.page.toString();
  expect(html).toContain('late');
  expect(html.startsWith('<main>')).toBe(true);
  expect(rendered.failed).toBe(false);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a page that throws as a whole rejects, and is not kept either', async () => {
  const { signal } = new AbortController();
  const told: unknown[] = [];
  await expect(renderWhole(createElement(Throwing), signal, (error) => told.push(error))).rejects.toThrow('no');
  expect(told).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('who goes away ends it, and nothing is told of an error', async () => {
  const leaving = new AbortController();
  const told: unknown[] = [];
  const page = createElement(Suspense, null, createElement(Late, { text: new Promise<string>(() => {}) }));
  const rendered = renderWhole(createElement('main', null, page), leaving.signal, (error) => told.push(error));
  leaving.abort(new Error('gone'));
  await expect(rendered).rejects.toThrow('gone');
  expect(told).toEqual([]);
  expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
});
