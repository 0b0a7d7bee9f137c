// First paint without script, then all of React. React Router's <Scripts/> preloads and runs the whole bundle at once,
// which on a phone delays the answer by a second. Here its module script is inert until /late.js wakes it at the first
// touch of the page, or when the browser is idle. It leans on the shape of what Scripts returns: the router is pinned,
// and e2e/late-scripts.spec.ts fails when the shape changes.
import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { Scripts } from 'react-router';

type ElementProps = {
  type?: string;
  rel?: string;
  children?: ReactNode;
  suppressHydrationWarning?: boolean;
  async?: boolean;
  id?: string;
};

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
  if (type === 'script' && props.type === 'module') return inert(node);
  if (typeof type === 'symbol') return Children.map(props.children, walk);
  return node;
}

function inert(script: ReactElement<ElementProps>): ReactNode {
  return cloneElement(script, { type: 'text/plain', async: false, id: 'late-module' });
}
