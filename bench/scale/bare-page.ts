// A page with nothing but React: the elements and texts of one that the registry answered, made again for each request,
// without components, router, data or anything of the product.
import { createElement, type ReactNode } from 'react';
import { renderWhole } from '#app/platform/http/render-whole.server.ts';

type Tag = { name: string; attributes: Record<string, string>; children: Part[] };
type Part = Tag | string;

const PART =
  /<!--[^]*?-->|<!doctype[^>]*>|<(script|style|title)([^>]*)>([^]*?)<\/\1>|<\/([\w-]+)>|<([\w-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gi;
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const CALLED: Readonly<Record<string, string>> = { class: 'className', for: 'htmlFor', charset: 'charSet' };

/** Renders the like of `html`, as often as it is called, to its bytes. */
export function barePage(html: string): () => Promise<Buffer> {
  const elements = elementsOf(html);
  return async () => (await renderWhole(elements(), new AbortController().signal, rethrow)).page;
}

/** The elements of `html`, made again at each call; with `scripts` in the place of its own. */
export function elementsOf(html: string, scripts?: () => ReactNode): () => ReactNode {
  const root = parse(html);
  if (scripts === undefined) return () => elementOf(root);
  const [body] = root.children.filter((part) => typeof part !== 'string' && part.name === 'body');
  if (body === undefined || typeof body === 'string') throw new Error('the page has no body');
  body.children = body.children.filter((part) => typeof part === 'string' || part.name !== 'script');
  return () => elementOf(root, scripts());
}

function parse(html: string): Tag {
  const top: Tag = { name: '', attributes: {}, children: [] };
  const open = [top];
  for (const [, raw, rawAttributes = '', within = '', closed, name, attributes = '', self, text] of html.matchAll(
    PART,
  )) {
    const inside = open.at(-1) ?? top;
    if (raw !== undefined) inside.children.push({ name: raw, attributes: read(rawAttributes), children: [within] });
    else if (closed !== undefined) open.pop();
    else if (text !== undefined) inside.children.push(text);
    else if (name !== undefined) {
      const tag: Tag = { name, attributes: read(attributes), children: [] };
      inside.children.push(tag);
      if (self === '' && !VOID.has(name)) open.push(tag);
    }
  }
  const [root] = top.children.filter((part) => typeof part !== 'string');
  if (root?.name !== 'html' || open.length > 1) throw new Error('the page was not taken apart');
  return root;
}

const read = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [CALLED[name] ?? name, value]),
  );

function elementOf({ name, attributes, children }: Tag, scripts?: ReactNode): ReactNode {
  const [first] = children;
  if ((name === 'script' || name === 'style') && typeof first === 'string')
    return createElement(name, { ...attributes, dangerouslySetInnerHTML: { __html: first } });
  return createElement(
    name,
    { ...attributes },
    ...children.map((child) => (typeof child === 'string' ? child : elementOf(child, scripts))),
    ...(name === 'body' && scripts !== undefined ? [scripts] : []),
  );
}

function rethrow(error: unknown): never {
  throw error;
}
