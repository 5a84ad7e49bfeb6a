int on_the_host[4];
