/** A file as an answer, to be saved as `name`. */
export function attachment(body: BodyInit, name: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { headers: { ...headers, 'content-disposition': `attachment; filename="${name}"` } });
}
