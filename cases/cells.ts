export { held, standIn } from '../src/feed/cells.ts';
