"""HTTP/2 streams that end without an answer; the path of the request names the way.

`/FAULT/TOKEN` does it to the first request with the token and answers every other with 200 and the number of its
connection; `/FAULT=always/TOKEN` does it to each.
"""

import h2.config
import h2.connection
import h2.events
import h2.exceptions
from h2.errors import ErrorCodes

seen = {}


def refuse(connection, http2, stream):
    """The stream was not processed (RFC 9113 section 8.7)."""
    http2.reset_stream(stream, ErrorCodes.REFUSED_STREAM)


def goodbye(connection, http2, stream):
    """The last stream that was processed is one before this; the connection stays open."""
    http2.close_connection(last_stream_id=stream - 2 if stream > 1 else 0)


def goodbye_and_close(connection, http2, stream):
    goodbye(connection, http2, stream)
    return "close"


def late_goodbye(connection, http2, stream):
    """This stream may have been processed."""
    http2.close_connection(last_stream_id=stream)
    return "close"


def hang_up(connection, http2, stream):
    return "close"


def reset(connection, http2, stream):
    connection.reset()
    return "reset"


def internal_error(connection, http2, stream):
    http2.reset_stream(stream, ErrorCodes.INTERNAL_ERROR)


def cancel(connection, http2, stream):
    http2.reset_stream(stream, ErrorCodes.CANCEL)


def downgrade(connection, http2, stream):
    """Requires HTTP/1.1, which does not mean that nothing was processed."""
    http2.reset_stream(stream, ErrorCodes.HTTP_1_1_REQUIRED)


FAULTS = {
    "refuse": refuse, "goodbye": goodbye, "goodbye-and-close": goodbye_and_close, "late-goodbye": late_goodbye,
    "hang-up": hang_up, "reset": reset, "internal-error": internal_error, "cancel": cancel, "downgrade": downgrade,
}


def serve(connection, journal):
    if connection.stream.selected_alpn_protocol() != "h2":
        return answer_http1(connection, journal)
    http2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
    http2.initiate_connection()
    connection.send(http2.data_to_send())
    requests = {}
    while data := connection.stream.recv(65536):
        try:
            events = http2.receive_data(data)
        except h2.exceptions.ProtocolError:
            return
        for event in events:
            if isinstance(event, h2.events.RequestReceived):
                requests[event.stream_id] = (dict(event.headers), b"")
            elif isinstance(event, h2.events.DataReceived):
                http2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                headers, body = requests[event.stream_id]
                requests[event.stream_id] = (headers, body + event.data)
            elif isinstance(event, h2.events.StreamEnded):
                end = answer(connection, http2, event.stream_id, *requests.pop(event.stream_id), journal)
                if end == "reset":
                    return
                connection.send(http2.data_to_send())
                if end == "close":
                    return
        connection.send(http2.data_to_send())


def answer(connection, http2, stream, headers, body, journal):
    """Ends one stream, correctly or not; returns how the connection continues."""
    fault, _, token = headers[":path"].strip("/").partition("/")
    journal.add({"method": headers[":method"], "fault": fault, "token": token, "headers": [],
                 "body": body.decode("latin-1"), "connection": connection.number})
    fault, _, argument = fault.partition("=")
    seen[token] = seen.get(token, 0) + 1
    if fault in FAULTS and (argument == "always" or seen[token] == 1):
        return FAULTS[fault](connection, http2, stream)
    http2.send_headers(stream, [(":status", "200")])
    http2.send_data(stream, str(connection.number).encode(), end_stream=True)
    return None


def answer_http1(connection, journal):
    while (request := connection.request()) is not None:
        journal.add(request)
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nHTTP/1.1")
