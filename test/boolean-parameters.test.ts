// A call such as `read(cookie, false)` does not say what it asks for: no function of the product takes a boolean.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const PRODUCT = ['app', 'server', 'commands', 'database', 'scripts'];
const NOTHING = new Set(['TSNullKeyword', 'TSUndefinedKeyword']);

function isBoolean(type: ESTree.TSType | undefined): boolean {
  if (type?.type === 'TSUnionType') {
    const said = type.types.filter((one) => !NOTHING.has(one.type));
    return said.length > 0 && said.every(isBoolean);
  }
  return type?.type === 'TSBooleanKeyword' || (type?.type === 'TSLiteralType' && isTrueOrFalse(type.literal));
}

const isTrueOrFalse = (value: object) => 'value' in value && typeof value.value === 'boolean';

/** The parameters that are booleans, as `text` has them. */
function booleansOf(file: string, text: string): string[] {
  const found: string[] = [];
  const look = ({ params }: { params: readonly ESTree.ParamPattern[] }) => {
    for (const param of params) {
      const given = param.type === 'TSParameterProperty' ? param.parameter : param;
      const named = given.type === 'AssignmentPattern' ? given.left : given;
      const isByDefault = given.type === 'AssignmentPattern' && isTrueOrFalse(given.right);
      if (isByDefault || isBoolean(named.typeAnnotation?.typeAnnotation))
        found.push(`${file}: ${text.slice(param.start, param.end)}`);
    }
  };
  new Visitor({
    FunctionDeclaration: look,
    FunctionExpression: look,
    ArrowFunctionExpression: look,
    TSFunctionType: look,
    TSMethodSignature: look,
  }).visit(parseSync(file, text).program);
  return found;
}

test('no function of the product takes a boolean', () => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...PRODUCT], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const sources = listed.split('\n').filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((file) => booleansOf(file, readFileSync(path.join(ROOT, file), 'utf8')));
  expect(found).toEqual([]);
});

test.each([
  ['function a(isOpen: boolean) {}', 'isOpen: boolean'],
  ['const a = (b: string, isOpen?: boolean | undefined) => b;', 'isOpen?: boolean | undefined'],
  ['const a = (isOpen = false) => 1;', 'isOpen = false'],
  ['class A { set(isOpen: true | null) {} }', 'isOpen: true | null'],
  ['class A { constructor(readonly isOpen: boolean) {} }', 'readonly isOpen: boolean'],
  ['type A = { open(isOpen: boolean): void };', 'isOpen: boolean'],
  ['type A = (isOpen: boolean) => void;', 'isOpen: boolean'],
])('%s: found', (text, parameter) => {
  expect(booleansOf('a.ts', text)).toEqual([`a.ts: ${parameter}`]);
});

test.each([
  'function a({ isOpen }: { isOpen: boolean }): boolean { return isOpen; }',
  'const inWords = (value: string | boolean) => String(value);',
  "const read = (purpose: 'use' | 'look', count = 0) => purpose;",
])('%s: allowed', (text) => {
  expect(booleansOf('a.ts', text)).toEqual([]);
});
