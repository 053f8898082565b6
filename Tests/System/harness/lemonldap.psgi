# The portal of LemonLDAP::NG, with its own class for captchas in place of one that needs ImageMagick.
package NoCaptcha;
use Mouse;
extends 'Lemonldap::NG::Common::Module';
sub init { 1 }
$INC{'NoCaptcha.pm'} = __FILE__;

package main;
use Lemonldap::NG::Portal::Main;
Lemonldap::NG::Portal::Main->run( {} );
