# The portal of LemonLDAP::NG on a port, with its own class for captchas in place of one that needs ImageMagick.
package NoCaptcha;
use Mouse;
extends 'Lemonldap::NG::Common::Module';
sub init { 1 }
$INC{'NoCaptcha.pm'} = __FILE__;

package main;
use HTTP::Server::PSGI;
use Lemonldap::NG::Portal::Main;
use Plack::Middleware::Static;
my $portal = Plack::Middleware::Static->wrap(
    Lemonldap::NG::Portal::Main->run( {} ),
    root => '/usr/share',
    path => sub { s{^/static/}{/lemonldap-ng/portal/htdocs/static/} || m{^/javascript/} }
);
my $server = HTTP::Server::PSGI->new( host => '127.0.0.1', port => $ARGV[0] );
$server->setup_listener;

# Browsers open connections before they need them, and a process of this server waits for the request of one connection.
setpgrp;
$SIG{TERM} = sub { kill KILL => -getpgrp };
fork || last for 1 .. 7;
$server->accept_loop($portal);
