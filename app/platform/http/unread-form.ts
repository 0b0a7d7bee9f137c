/** What the page says of a form that could not be read (platform/form.server.ts). */
export type UnreadForm = { kind: 'unread-form'; sentence: string };

export function readUnreadForm(data: unknown): UnreadForm | undefined {
  return isUnreadForm(data) ? data : undefined;
}

const isUnreadForm = (data: unknown): data is UnreadForm =>
  typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'unread-form';
