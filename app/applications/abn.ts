// The checksum of an Australian Business Number (ABN).

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** Whether an ABN's checksum is right (Australian Business Register: 11 digits, first at least 1, modulus 89). */
export function isAbnValid(abn: string): boolean {
  const digits = [...abn.normalize('NFKC').replaceAll(/\s/g, '')].map(Number);
  if (digits.length !== 11 || !digits.every((digit) => Number.isInteger(digit) && digit >= 0)) return false;
  if (digits[0] === 0) return false;
  const sum = digits.reduce(
    (total, digit, place) => total + (place === 0 ? digit - 1 : digit) * (ABN_WEIGHTS[place] ?? 0),
    0,
  );
  // 10 000 000 000 has the sum 0, which the modulus alone would accept; nobody has this number.
  return sum > 0 && sum % 89 === 0;
}
