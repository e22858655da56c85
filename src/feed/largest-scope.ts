/**
 * Batches of the largest scope. One more, and there are 65,536 histories in 40,320 orders: more than fits into memory at once, and more
 * than a run could send in a day.
 */
export const LARGEST_SCOPE = 7;
