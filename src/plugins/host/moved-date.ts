/**
 * The clock of JavaScript, for a module that runs in this process: `Date` as it is, but for the time that it takes for now. What reads another
 * clock (`performance.timeOrigin`, a program that it starts) sees the machine's own.
 */
let readTime: (() => number) | null = null;
let isInstalled = false;

/** From now on `Date` shows what this returns, in milliseconds since the epoch; null for the machine's own. */
export function showTime(read: (() => number) | null): void {
  if (read !== null && !isInstalled) install();
  readTime = read;
}

function install(): void {
  isInstalled = true;
  const Own = Date;
  const now = () => readTime?.() ?? Own.now();
  globalThis.Date = new Proxy(Own, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    apply: () => new Own(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
