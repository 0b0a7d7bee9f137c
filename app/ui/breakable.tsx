/** An email address whose line may break before the @, and not within a word. */
export function Breakable({ email }: { email: string }) {
  const at = email.indexOf('@');
  if (at === -1) return email;
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
