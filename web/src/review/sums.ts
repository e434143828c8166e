/** Arithmetic that must agree with Python's: exact sums and the check sum that seeds follow from. */

/** The sum of numbers, rounded once, as `math.fsum` gives it. */
export function exactSum(numbers: Iterable<number>): number {
  let parts: number[] = [];
  for (const number of numbers) {
    let sum = number;
    const kept: number[] = [];
    for (const part of parts) {
      const [large, small] = Math.abs(sum) < Math.abs(part) ? [part, sum] : [sum, part];
      sum = large + small;
      const rest = small - (sum - large);
      if (rest !== 0) kept.push(rest);
    }
    parts = [...kept, sum];
  }
  return parts.reduceRight((sum, part) => sum + part, 0);
}

const POLYNOMIAL = 0xedb88320;

/** CRC-32 of a text in UTF-8, as `zlib.crc32` gives it. */
export function crc32(text: string): number {
  let found = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    found ^= byte;
    for (let bit = 0; bit < 8; bit++) found = (found >>> 1) ^ (found & 1 ? POLYNOMIAL : 0);
  }
  return (found ^ 0xffffffff) >>> 0;
}
