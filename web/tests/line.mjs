// A slow line to a server, as a proxy on this machine: what comes back shares a number of bits per second, packet by packet, and each way takes half a round trip.
// (Chromium's own throttling waits for the next piece of a file only when it has unpacked the last, and so gives compressed files less than it is asked for.)
import net from "node:net";

const TICK = 2; // ms between two turns of the sender
const PACKET = 1500; // bytes
const BURST = 20; // ms of the line that a late turn may make up for

/** What a connection has still to send back. */
class Flow {
  #pieces = [];

  constructor(socket) {
    this.socket = socket;
  }

  /** Adds bytes, or the end (null), which may leave at a time. */
  add(bytes, at) {
    this.#pieces.push({ bytes, at });
  }

  /** Sends at most one packet that may leave by now; its size. */
  send(now) {
    const [piece] = this.#pieces;
    if (piece === undefined || piece.at > now) return 0;
    if (piece.bytes === null) {
      this.#pieces.shift();
      this.socket.end();
      return 0;
    }
    const packet = piece.bytes.subarray(0, PACKET);
    piece.bytes = piece.bytes.subarray(packet.length);
    if (piece.bytes.length === 0) this.#pieces.shift();
    this.socket.write(packet);
    return packet.length;
  }
}

/** Opens a line of `mbit` megabits per second to the server at `address`, with a round trip in milliseconds: `{ address, bytes, close() }`. */
export async function openLine(address, mbit, roundTrip) {
  const { hostname, port } = new URL(address);
  const flows = new Set();
  const line = { bytes: 0 };
  const rate = mbit * 125; // bytes per ms
  let [allowed, last] = [0, performance.now()];
  const turn = () => {
    const now = performance.now();
    allowed = Math.min(allowed + (now - last) * rate, BURST * rate);
    last = now;
    for (let sent = true; sent && allowed > 0; ) {
      sent = false;
      for (const flow of flows) {
        const bytes = flow.send(now);
        sent ||= bytes > 0;
        allowed -= bytes;
        line.bytes += bytes;
      }
    }
  };
  const timer = setInterval(turn, TICK);
  const server = net.createServer((socket) => {
    const far = net.connect(Number(port), hostname);
    const flow = new Flow(socket);
    flows.add(flow);
    socket.on("data", (bytes) => setTimeout(() => far.write(bytes), roundTrip / 2));
    far.on("data", (bytes) => flow.add(bytes, performance.now() + roundTrip / 2));
    far.on("end", () => flow.add(null, performance.now() + roundTrip / 2));
    socket.on("close", () => {
      flows.delete(flow);
      far.destroy();
    });
    for (const end of [socket, far]) end.on("error", () => socket.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  line.address = `http://127.0.0.1:${server.address().port}/`;
  line.close = () => {
    clearInterval(timer);
    server.close();
    server.closeAllConnections?.();
  };
  return line;
}
