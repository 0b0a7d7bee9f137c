// What happens to the phones of one technician in a random run: what they type, when they send, what goes wrong.
import fc from 'fast-check';

/** `visit`: which of those captured so far; `phone`: the technician's own, or one that opened the file of a visit. */
export type Step =
  | { kind: 'capture'; truck: 0 | 1; photos: 0 | 1 | 2; isDraft: boolean }
  | { kind: 'edit'; visit: number; isDraft: boolean }
  | { kind: 'delete'; visit: number }
  | { kind: 'again'; visit: number }
  /** `tabs`: at the same time. `killAfterMs`: one of them is killed then. */
  | { kind: 'send'; phone: 0 | 1; tabs: 1 | 2; killAfterMs: number | null }
  | { kind: 'file'; visit: number }
  | { kind: 'line'; is: LineFault }
  | { kind: 'session'; isIn: boolean }
  | { kind: 'truck'; truck: 0 | 1; isThere: boolean }
  | { kind: 'clock'; is: 'right' | '1970' | 'ahead' }
  | { kind: 'caches' }
  /** Whether the phone has room for more. */
  | { kind: 'room'; isLeft: boolean }
  /** The registry's process is killed while the phone sends, and started again. */
  | { kind: 'server'; killAfterMs: number };

/** `after`: bytes. `portal`: the login page of a hotel's Wi-Fi answers. `twice`: each request arrives twice. */
export type LineFault =
  | { kind: 'whole' | 'down' | 'portal' | 'twice' | 'unavailable' | 'answers lost' }
  | { kind: 'request cut' | 'answer cut'; after: number };

const which = fc.nat({ max: 5 });
const truck = fc.constantFrom<0 | 1>(0, 1);
const fault: fc.Arbitrary<LineFault> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<LineFault>({ kind: 'whole' }) },
  fc
    .constantFrom<'down' | 'portal' | 'twice' | 'unavailable' | 'answers lost'>(
      'down',
      'portal',
      'twice',
      'unavailable',
      'answers lost',
    )
    .map((kind): LineFault => ({ kind })),
  fc.record({
    kind: fc.constantFrom<'request cut' | 'answer cut'>('request cut', 'answer cut'),
    after: fc.nat({ max: 3000 }),
  }),
);

// One in four is not finished.
const isDraft = fc.constantFrom(true, false, false, false);
const capture = fc.record({
  kind: fc.constant('capture' as const),
  truck,
  photos: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
  isDraft,
});
const usual: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: capture },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), visit: which, isDraft }) },
  fc.record({ kind: fc.constant('delete' as const), visit: which }),
  fc.record({ kind: fc.constant('again' as const), visit: which }),
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      phone: fc.constantFrom<0 | 1>(0, 0, 0, 1),
      tabs: fc.constantFrom<1 | 2>(1, 2),
      killAfterMs: fc.option(fc.nat({ max: 60 }), { nil: null }),
    }),
  },
  fc.record({ kind: fc.constant('file' as const), visit: which }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('line' as const), is: fault }) },
  fc.record({ kind: fc.constant('session' as const), isIn: fc.boolean() }),
  fc.record({ kind: fc.constant('truck' as const), truck, isThere: fc.boolean() }),
  fc.record({
    kind: fc.constant('clock' as const),
    is: fc.constantFrom<'right' | '1970' | 'ahead'>('right', '1970', 'ahead'),
  }),
  fc.record({ kind: fc.constant('caches' as const) }),
  fc.record({ kind: fc.constant('room' as const), isLeft: fc.boolean() }),
);

// A start takes a second: it is rare.
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 300, arbitrary: usual },
  fc.record({ kind: fc.constant('server' as const), killAfterMs: fc.nat({ max: 60 }) }),
);

export const programs: fc.Arbitrary<Step[]> = fc
  .tuple(capture, fc.array(step, { minLength: 2, maxLength: 14 }))
  .map(([first, steps]) => [first, ...steps]);
