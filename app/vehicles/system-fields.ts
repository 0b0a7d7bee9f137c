// The fields of a vehicle that name its scale's system. They are part of the list in vehicle-fields.ts.

/** Of the scale, by Transport Certification Australia. */
const SCALE_CATEGORIES = [
  { value: '', label: 'Not known' },
  { value: 'A', label: 'A, displays' },
  { value: 'B', label: 'B, sends' },
  { value: 'C', label: 'C, standard form' },
  { value: 'none', label: 'None' },
] as const;

export const SYSTEM_FIELDS = [
  {
    name: 'scale_make',
    column: 'scaleMake',
    label: 'Scale make',
    kind: 'line',
    maxLength: 60,
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
    whereKnown: true,
  },
  {
    name: 'scale_model',
    column: 'scaleModel',
    label: 'Scale model',
    kind: 'line',
    maxLength: 60,
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
    whereKnown: true,
  },
  {
    name: 'scale_category',
    column: 'scaleCategory',
    label: 'Category (TCA)',
    fact: 'Category',
    kind: 'choice',
    options: SCALE_CATEGORIES,
    named: 'unknown',
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
  },
  {
    name: 'conformance_certificate',
    column: 'conformanceCertificate',
    label: 'Certificate of conformance',
    kind: 'line',
    maxLength: 100,
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
    whereKnown: true,
  },
  {
    name: 'firmware',
    column: 'firmware',
    label: 'Firmware',
    kind: 'line',
    maxLength: 60,
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
    whereKnown: true,
  },
] as const;
