#!/usr/bin/env node
import { main } from '../dist/src/cli/main.js';

// Whoever reads our output may have seen enough (`| head`). The run goes on: its exit code and its report files still count.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

await main(process.argv.slice(2));
