// What no line of a server's log may hold: an email address, a token of a link, a setup link.

const SECRETS = [
  /[\w.!#$%&'*+^`{|}~-]+(?:@|%40)[a-z\d-]+(?:[.,][a-z\d-]+)+/gi,
  /(?<![\w-])[\w-]{43}(?![\w=-])/g,
  /(?:\/(?:reset|follow\/confirm|follow\/leave|follow\/mine)\/|[?&]link=)(?!:)[^\s"]+/g,
];

/** The lines of `log` that hold one. What is no JSON is for the operator's terminal: the setup link is given there. */
export function linesWithSecrets(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .filter((line) => SECRETS.some((secret) => line.search(secret) !== -1));
}
