// Delays the scripts until after the first paint. React Router's <Scripts/> preloads and runs the whole bundle at once,
// which delays the first paint on a phone by a second. Here its module script is inert until /late.js starts it: at the
// first touch of the page, or when the browser is idle. This depends on the elements that Scripts returns: the router's
// version is pinned, and e2e/it-works-everywhere.spec.ts fails when they change. Deletable when Scripts can load later.
import { Children, cloneElement, isValidElement, type ReactNode } from 'react';
import { Scripts } from 'react-router';

type ElementProps = { type?: string; rel?: string; children?: ReactNode; async?: boolean; id?: string };

export function LateScripts(): ReactNode {
  return [<ScriptsWalked key="scripts" />, <script key="late" src="/late.js" defer />];
}

function ScriptsWalked(): ReactNode {
  return walk(Scripts({}));
}

function walk(node: ReactNode): ReactNode {
  if (!isValidElement<ElementProps>(node)) return node;
  const { type, props } = node;
  if (type === 'link' && props.rel === 'modulepreload') return null;
  if (type === 'script' && props.type === 'module')
    return cloneElement(node, { type: 'text/plain', async: false, id: 'late-module' });
  if (typeof type === 'symbol') return Children.map(props.children, walk);
  return node;
}
