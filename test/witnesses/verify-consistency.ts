// Verifies a consistency proof as RFC 9162, section 2.1.4.2, writes it down, step by step. For the second witness.
import { createHash } from 'node:crypto';

export type TreeHead = { size: bigint; root: Buffer };

// False too where the first tree is empty or not the smaller one: the steps are for what is between.
export function isConsistent(first: TreeHead, second: TreeHead, proof: Buffer[]): boolean {
  if (first.size <= 0n || first.size >= second.size || proof.length === 0) return false;
  const isPowerOfTwo = (first.size & (first.size - 1n)) === 0n;
  const [start, ...rest] = isPowerOfTwo ? [first.root, ...proof] : proof;
  if (start === undefined) return false;

  let firstNode = first.size - 1n;
  let secondNode = second.size - 1n;
  while (isOdd(firstNode)) {
    firstNode >>= 1n;
    secondNode >>= 1n;
  }
  let firstRoot = start;
  let secondRoot = start;
  for (const hash of rest) {
    if (secondNode === 0n) return false;
    if (isOdd(firstNode) || firstNode === secondNode) {
      firstRoot = hashChildren(hash, firstRoot);
      secondRoot = hashChildren(hash, secondRoot);
      while (!isOdd(firstNode) && firstNode !== 0n) {
        firstNode >>= 1n;
        secondNode >>= 1n;
      }
    } else secondRoot = hashChildren(secondRoot, hash);
    firstNode >>= 1n;
    secondNode >>= 1n;
  }
  return firstRoot.equals(first.root) && secondRoot.equals(second.root) && secondNode === 0n;
}

function isOdd(value: bigint): boolean {
  return (value & 1n) === 1n;
}

function hashChildren(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}
