// Reads a query from standard input, asks the session whose port is named, and prints its rows as JSON.
import { readFileSync } from 'node:fs';

const answer = await fetch(`http://127.0.0.1:${process.argv[2]}/`, { method: 'POST', body: readFileSync(0) });
const text = await answer.text();
if (answer.ok) {
  console.log(text);
} else {
  console.error(text);
  process.exitCode = 1;
}
