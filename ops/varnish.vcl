vcl 4.1;

# A site on 127.0.0.1:8080. Varnish speaks no TLS: whatever does has to stand before it, and to set X-Forwarded-Proto. Start the site with
# SITE_URL=https://example.org TRUSTED_PROXIES=loopback.
backend palimpsest {
  .host = "127.0.0.1";
  .port = "8080";
  # The live feed sends a heartbeat every 15 seconds.
  .first_byte_timeout = 70s;
  .between_bytes_timeout = 70s;
}

sub vcl_recv {
  # Without it Varnish adds to what visitors send.
  set req.http.X-Forwarded-For = client.ip;
  # Events of the live feed arrive one by one.
  if (req.url ~ "/changes(\?|$)") {
    return (pipe);
  }
}
