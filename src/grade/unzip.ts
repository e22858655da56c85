import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** An archive that is not unpacked, with the reason in words for whoever handed it in. */
export class UnzipError extends Error {
  override readonly name = 'UnzipError';
}

export interface UnzipLimits {
  readonly entries: number;
  /** Of all files unpacked, as counted while they are: what an archive says of itself may be wrong. */
  readonly bytes: number;
}

export const UNZIP_LIMITS: UnzipLimits = { entries: 10_000, bytes: 512 * 2 ** 20 };

/**
 * Unpacks an archive into an empty folder. Nothing is written outside of it: names that are absolute or climb (`..`) are refused by yauzl before
 * anything is read, and links are left out, so that no later file is written through one.
 *
 * @returns names that were left out
 * @throws UnzipError where it is no archive, is encrypted, or is larger than the limits
 */
export async function unzip(
  path: string,
  folder: string,
  limits: UnzipLimits = UNZIP_LIMITS,
): Promise<readonly string[]> {
  const leftOut: string[] = [];
  const budget = { bytes: limits.bytes, entries: limits.entries };
  try {
    const archive = await openPromise(path, { lazyEntries: true });
    try {
      for await (const entry of archive.eachEntry()) {
        if (--budget.entries < 0) throw new UnzipError(`it has more than ${limits.entries} entries`);
        if (!(await unpack(archive, entry, folder, budget))) leftOut.push(entry.fileName);
      }
    } finally {
      archive.close();
    }
  } catch (error) {
    throw error instanceof UnzipError ? error : new UnzipError(inWords((error as Error).message));
  }
  return leftOut;
}

async function unpack(
  archive: ZipFile,
  entry: Entry,
  folder: string,
  budget: { bytes: number },
): Promise<boolean> {
  const { fileName } = entry;
  const target = join(folder, fileName);
  if (!`${target}${sep}`.startsWith(`${folder}${sep}`))
    throw new UnzipError(`it has a file outside: ${fileName}`);
  if (fileName.endsWith('/')) {
    mkdirSync(target, { recursive: true });
    return true;
  }
  if (!isPlainFile(entry) || isOfMac(fileName)) return false;
  if (entry.isEncrypted()) throw new UnzipError('it is encrypted');
  mkdirSync(dirname(target), { recursive: true });
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      budget.bytes -= chunk.length;
      done(budget.bytes < 0 ? new UnzipError('unpacked it is larger than is allowed') : null, chunk);
    },
  });
  // `wx`: of two entries with one name the first counts.
  const mode = isExecutable(entry) ? 0o755 : 0o644;
  const stream = await archive.openReadStreamPromise(entry);
  await pipeline(stream, counted, createWriteStream(target, { flags: 'wx', mode }));
  return true;
}

/** Unix keeps the kind of a file in the upper half; other systems leave it 0. */
function isPlainFile({ externalFileAttributes }: Entry): boolean {
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  return kind === 0 || kind === 0o100000;
}

function isExecutable({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o100) !== 0;
}

function isOfMac(name: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$)/.test(name);
}

function inWords(message: string): string {
  if (/end of central directory|not a zip/i.test(message)) return 'it is no zip archive, or was cut off';
  if (/EEXIST|ENOTDIR|EISDIR/.test(message)) return 'two of its entries have the same name';
  return message.replace(/^\w/, (letter) => letter.toLowerCase());
}
