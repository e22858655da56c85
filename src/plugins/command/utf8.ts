const strict = new TextDecoder('utf-8', { fatal: true });

/** Text of bytes that are UTF-8, or null where they are not. A byte-order mark at the front is dropped. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** The bytes around the first one that breaks UTF-8. */
export function aroundInvalidUtf8(bytes: Uint8Array): { readonly at: number; readonly near: Uint8Array } {
  // Bisecting on prefixes: a prefix is good if it decodes, a character cut at its end aside.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodesSoFar(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return { at: good, near: bytes.subarray(Math.max(0, good - 40), Math.min(bytes.length, good + 40)) };
}

function decodesSoFar(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
