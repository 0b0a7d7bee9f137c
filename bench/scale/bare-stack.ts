// What the libraries alone take for a page and for a form: Hono's server and React Router around one statement over `pg`,
// with as many elements and the same data as a page that the registry answered; around the bare insert; and around the
// registry's own recording. No component, word, check or session of the product.
import { createElement, type ReactNode } from 'react';
import {
  createRequestHandler,
  redirect,
  Scripts,
  ServerRouter,
  UNSAFE_decodeViaTurboStream as decode,
  type ServerBuild,
} from 'react-router';
import { Hono } from 'hono';
import { getRequestListener } from '@hono/node-server';
import { renderWhole } from '#app/platform/http/render-whole.server.ts';
import { elementsOf } from './bare-page.ts';

type Listener = ReturnType<typeof getRequestListener>;
/** `log`: as `record`, by the registry's own function. */
type Over = Record<'read' | 'record', (rego: string) => Promise<unknown>> & {
  log: (form: FormData) => Promise<unknown>;
};

const ADDRESS = 'vehicles/view/:rego';

/**
 * Answers `/vehicles/view/REGO` like the registry answered `page`, after `read`; and what is sent to it, after `record`, or
 * after `log` if the form has a field of that name.
 */
export async function bareStack(page: string, over: Over): Promise<Listener> {
  const [html, data] = await Promise.all([textOf(page), dataOf(page)]);
  const elements = elementsOf(html, () => createElement(Scripts, { key: 'scripts' }));
  const handle = createRequestHandler(buildOf(elements, data, over), 'production');
  const app = new Hono().all('*', (context) => handle(context.req.raw));
  return getRequestListener(app.fetch);
}

function buildOf(elements: () => ReactNode, [root, own]: readonly unknown[], { read, record, log }: Over): ServerBuild {
  const asset = (id: string, path: string, parentId?: string) => ({
    id,
    ...(parentId === undefined ? {} : { parentId }),
    path,
    hasAction: parentId !== undefined,
    hasLoader: true,
    hasClientAction: false,
    hasClientLoader: false,
    hasClientMiddleware: false,
    hasErrorBoundary: false,
    hasDefaultExport: true,
    module: `/assets/${id}.js`,
    clientActionModule: undefined,
    clientLoaderModule: undefined,
    clientMiddlewareModule: undefined,
    hydrateFallbackModule: undefined,
  });
  return {
    entry: {
      module: {
        default: async (request, status, headers, context) => {
          const { page } = await renderWhole(
            createElement(ServerRouter, { context, url: request.url }),
            request.signal,
            (error) => {
              throw error;
            },
          );
          headers.set('content-type', 'text/html; charset=utf-8');
          return new Response(page, { status, headers });
        },
      },
    },
    routes: {
      root: { id: 'root', path: '', module: { default: () => elements(), loader: () => root } },
      view: {
        id: 'view',
        parentId: 'root',
        path: ADDRESS,
        module: {
          default: () => null,
          loader: async ({ params: { rego = '' } }: { params: { rego?: string } }) => {
            await read(rego);
            return own;
          },
          action: async ({ request, params: { rego = '' } }: { request: Request; params: { rego?: string } }) => {
            const form = await request.formData();
            await (form.has('log') ? log(form) : record(String(form.get('rego') ?? rego)));
            return redirect(`/vehicles/view/${rego}`, 303);
          },
        },
      },
    },
    assets: {
      entry: { module: '/assets/entry.js', imports: [] },
      routes: { root: asset('root', ''), view: asset('view', ADDRESS, 'root') },
      url: '/assets/manifest.js',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
    // The load sends the registry's own.
    allowedActionOrigins: ['**'],
  };
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

// What the page's loaders returned, the root's first.
async function dataOf(page: string): Promise<unknown[]> {
  const { body } = await fetch(`${page}.data`);
  if (body === null) throw new Error('the page has no data');
  const { value } = await decode(body, globalThis);
  if (value === null || typeof value !== 'object') throw new Error('the data of the page were not read');
  return Object.values(value).map((each: { data: unknown }) => each.data);
}
