// A phone of the random runs, in this process (node-phone.ts).
import type { TypedVisit } from '#app/field/outbox.ts';
import type { KeptVisit, Person } from '#app/field/phone-store.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { LineFault } from './program.ts';

/** A fault that is planted in the phone, to see whether it is found. */
export type Planted = 'a new id with each try' | 'gone when no answer came' | undefined;
/** `cookie`: of the technician's session; '' while they are signed out. */
export type Line = { proxy: FaultProxy; url: string; cookie: () => string };
export type TestPhoto = { id: string; name: string; bytes: Uint8Array<ArrayBuffer> };

export type TestPhone = {
  /** False: there is no room for it, or it was recorded. `photos`: undefined leaves those that it has. */
  keep: (
    visit: TypedVisit,
    as: { state: 'draft' | 'unsent'; now: Date; photos: readonly TestPhoto[] | undefined },
  ) => Promise<boolean>;
  remove: (id: string) => Promise<void>;
  again: (id: string) => Promise<void>;
  file: (id: string) => Promise<string | undefined>;
  openFile: (text: string) => Promise<void>;
  /** True: there is nothing left to be sent. The first tab is killed after `killAfterMs`. */
  send: (given?: { tabs: 1 | 2; killAfterMs: number | null }) => Promise<boolean>;
  set: (fault: LineFault) => Promise<void>;
  setRoom: (isLeft: boolean) => Promise<void>;
  emptyCaches: () => Promise<void>;
  visits: () => Promise<{ visit: KeptVisit; photos: number }[]>;
  close: () => Promise<void>;
};
export type OpenPhone = (person: Person, line: Line, planted: Planted) => Promise<TestPhone>;

export const FAULT_OF_LINE = (fault: LineFault) =>
  fault.kind === 'request cut'
    ? ({ kind: 'cut-request', afterBytes: fault.after } as const)
    : fault.kind === 'answer cut'
      ? ({ kind: 'cut', afterBytes: fault.after } as const)
      : ({ kind: 'none' } as const);
