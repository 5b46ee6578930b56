// SPDX-License-Identifier: Apache-2.0
import { sayAlive } from '../engine/worker-signs.ts';
import { type Order, SoftmaxTiles, type Tile, type WholeRow } from './tiles.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<Order>) => void;
  postMessage(piece: Tile | WholeRow, transfer: Transferable[]): void };
let tiles: SoftmaxTiles | undefined;
sayAlive();

port.onmessage = ({ data: order }) => {
  if (order.kind === 'open') {
    tiles = new SoftmaxTiles(order);
    return;
  }
  const data = order.kind === 'row' ? tiles!.row(order.row) : tiles!.tile(order.band, order.block);
  port.postMessage({ ...order, data }, [data.buffer]);
};
