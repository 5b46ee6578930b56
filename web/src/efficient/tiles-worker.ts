// SPDX-License-Identifier: Apache-2.0
import { type Order, SoftmaxTiles, type Tile } from './tiles.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<Order>) => void;
  postMessage(tile: Tile, transfer: Transferable[]): void };
let tiles: SoftmaxTiles | undefined;

port.onmessage = ({ data: order }) => {
  if (order.kind === 'open') {
    tiles = new SoftmaxTiles(order);
    return;
  }
  const data = tiles!.tile(order.band, order.block);
  port.postMessage({ band: order.band, block: order.block, data }, [data.buffer]);
};
